"""The files in `deploy`: they name options, figures and files that exist."""

import json
import re
import shlex
import shutil
import subprocess
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from mauerwerk.cli.server_options import backup, serve
from mauerwerk.server.app import App
from mauerwerk.server.database.connect import store_at
from mauerwerk.server.engine.host import Host
from mauerwerk.server.features.notifications.service import Notifications
from mauerwerk.server.features.retention.service import RetentionJob
from mauerwerk.server.http.settings import Backups, Settings, read_settings

yaml: Any = import_module("yaml")  # it has no types

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted(
    path.name for path in DEPLOY.iterdir() if path.suffix in {".service", ".socket", ".timer"}
)
OPTIONS = {name for parameter in serve.params for name in parameter.opts}


def composed(name: str) -> dict[str, Any]:
    """The services of a Compose file."""
    services: dict[str, Any] = yaml.safe_load((DEPLOY / name).read_text("utf-8"))["services"]
    return services


def test_the_files_start_servers_with_options_that_exist() -> None:
    """In containers and under systemd."""
    docker = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    commands = [
        *(
            json.loads(line.partition(" ")[2])
            for line in re.findall(r"^(?:ENTRYPOINT|CMD) .*", docker, re.MULTILINE)
        ),
        composed("compose.sqlite.yaml")["walls"]["command"],
        composed("compose.postgresql.yaml")["server-1"]["command"],
        started_by("mauerwerk.service"),
    ]
    named = {word for command in commands for word in command if word.startswith("--")}

    assert "--data" in named
    assert named <= OPTIONS


def started_by(unit: str) -> list[str]:
    """The command of a unit."""
    text = (DEPLOY / unit).read_text(encoding="utf-8")
    return shlex.split(re.findall(r"^ExecStart=(.*)", text, re.MULTILINE)[0])


def test_a_timer_makes_backups() -> None:
    """With options that exist, as the user of the server, into a folder that systemd makes."""
    program, command, *words = started_by("mauerwerk-backup.service")
    named = {word for word in words if word.startswith("--")}

    assert (program, command) == ("/opt/mauerwerk/bin/mauerwerk", "backup")
    assert {"--data", "--keep-daily"} <= named <= {o for p in backup.params for o in p.opts}
    unit = (DEPLOY / "mauerwerk-backup.service").read_text(encoding="utf-8")
    assert "User=mauerwerk\n" in unit
    assert "StateDirectory=mauerwerk mauerwerk-backups\n" in unit
    assert words[-1] == "%S/mauerwerk-backups"


def test_the_short_way_has_ten_lines() -> None:
    """They name files that an installation has, units that exist, and no secret in a command."""
    guide = (ROOT / "docs/how-to/host-a-server.md").read_text(encoding="utf-8")
    _, _, rest = guide.partition("## Ten lines to https with backups")
    lines = rest.partition("```sh\n")[2].partition("```")[0].splitlines()

    assert len(lines) == 10
    text = "\n".join(lines)
    assert (DEPLOY / "nginx-site.conf").exists()
    for unit in re.findall(r"mauerwerk[\w-]*\.(?:socket|timer|service)", text):
        assert unit in UNITS
    assert "/site-packages/mauerwerk/deploy" in text
    wheel = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert 'deploy = "mauerwerk/deploy"' in wheel
    assert "umask 077" in next(line for line in lines if "ADMIN_TOKEN=" in line)
    # A first backup needs a server that has made its database, and notifications one after a boot.
    started, _, then = lines[-1].partition(" && ")
    assert started == "systemctl enable --now mauerwerk.socket mauerwerk mauerwerk-backup.timer"
    assert then.startswith("systemctl start mauerwerk-backup && ")
    assert "\nType=notify\n" in (DEPLOY / "mauerwerk.service").read_text(encoding="utf-8")


def test_commands_reach_all_that_the_units_keep() -> None:
    """Or a backup could not be restored by the command that the manual makes."""
    guide = (ROOT / "docs/how-to/host-a-server.md").read_text(encoding="utf-8")
    (reached,) = re.findall(r"-p StateDirectory='(.*?)'", guide)
    for unit in ("mauerwerk.service", "mauerwerk-backup.service"):
        kept = re.findall(r"^StateDirectory=(.*)", (DEPLOY / unit).read_text("utf-8"), re.MULTILINE)
        assert kept == [reached]


def test_what_systemd_hands_over_is_not_said_elsewhere() -> None:
    """It takes a variable from `EnvironmentFile=` rather than from `Environment=`."""
    guide = (ROOT / "docs/how-to/host-a-server.md").read_text(encoding="utf-8")
    (handed_over,) = re.findall(r"^  Environment=(.*%d/.*)$", guide, re.MULTILINE)
    named = {each.partition("=")[0] for each in handed_over.split()}
    (written,) = re.findall(r"printf '(.*)' .* > /etc/mauerwerk\.conf\)", guide)
    both = {each.partition("=")[0] for each in written.split("\\n")} & named

    assert both == {"MAUERWERK_SETTINGS"}
    text = " ".join(guide.split())
    assert "sed -i '/^MAUERWERK_SETTINGS=/d' /etc/mauerwerk.conf" in text


def test_servers_know_where_their_backups_are(tmp_path: Path) -> None:
    """Or else what is decided between two backups would be undone by a restore."""
    guide = (ROOT / "docs/how-to/host-a-server.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"^printf '(.*)' > /etc/mauerwerk.toml$", guide, re.MULTILINE)
    settings = tmp_path / "settings.toml"
    settings.write_text(said.replace("\\n", "\n"), encoding="utf-8")
    assert read_settings(settings, {}).backups.folder == "/var/lib/mauerwerk-backups"
    assert "MAUERWERK_SETTINGS=/etc/mauerwerk.toml" in guide
    for name, server in (("compose.sqlite.yaml", "walls"), ("compose.postgresql.yaml", "server-1")):
        whole = yaml.safe_load((DEPLOY / name).read_text("utf-8"))
        settings.write_text(whole["configs"]["settings"]["content"], encoding="utf-8")
        assert read_settings(settings, {}).backups.folder == "/backups"
        service = whole["services"][server]
        assert service["environment"]["MAUERWERK_SETTINGS"] == service["configs"][0]["target"]
        assert "backups:/backups" in service["volumes"]
        assert "backups:/backups" in whole["services"]["backups"]["volumes"]


def test_containers_show_no_plain_http_and_make_backups() -> None:
    """Only the proxy can be reached from other machines."""
    for name in ("compose.sqlite.yaml", "compose.postgresql.yaml"):
        services = composed(name)
        assert [each for each, service in services.items() if "ports" in service] == ["proxy"]
        (command,) = services["backups"]["command"]
        words = shlex.split(command)
        named = {word for word in words if word.startswith("--")}
        assert named <= {o for p in backup.params for o in p.opts}
        assert "/backups;" in words
    assert "pictures" in (DEPLOY / "Dockerfile").read_text(encoding="utf-8")


def test_a_container_is_built_as_a_wheel_is() -> None:
    """The build has all that its hook needs to bring the scripts of the page."""
    docker = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")

    assert re.search(r"COPY .*package-lock.json .*fetch_scripts.py hatch_build.py \./", docker)
    assert "COPY --from=scripts /page/node_modules node_modules" in docker


def test_containers_are_built_on_any_machine() -> None:
    """Nothing names an architecture, or where images come from."""
    for docker in (DEPLOY / "Dockerfile", ROOT / ".devcontainer" / "Dockerfile"):
        lines = docker.read_text(encoding="utf-8")
        images = re.findall(r"^FROM (\S+)", lines, re.MULTILINE)
        assert len(images) > 1
        assert all(re.fullmatch(r"(node|python):[\d.]+(-slim)?", image) for image in images)
        assert not re.search(r"--platform|amd64|x86_64|arm64|aarch64", lines)


def test_a_development_container_plays_by_the_command_of_the_readme() -> None:
    described = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text("utf-8"))

    assert f"\n{described['postAttachCommand']} " in (ROOT / "README.md").read_text("utf-8")
    assert (ROOT / ".devcontainer" / described["build"]["dockerfile"]).is_file()


def test_no_password_is_an_option() -> None:
    """Everybody on a machine can read the options of a command."""
    for server in ("server-1", "server-2"):
        service = composed("compose.postgresql.yaml")[server]
        assert "PASSWORD" not in " ".join(service["command"])
        assert service["environment"]["MAUERWERK_DATABASE"].startswith("postgresql://")


def test_alerts_and_dashboard_show_figures_that_exist(tmp_path: Path) -> None:
    """Each name is one that `/metrics` has."""
    (tmp_path / "mauerwerk-20260131T042011Z.db").touch()
    app = App(Host(store_at(tmp_path)), Settings(backups=Backups(str(tmp_path))))
    app.state.host.service(Notifications).done["push failed"] += 1
    app.metrics.count_request("GET", "/", 200)
    app.state.limiter.refused["requests"] += 1
    app.state.host.service(RetentionJob).done["expired"] += 1
    shown = set(
        re.findall(
            r"^((?:mauerwerk|process)_\w+)", app.metrics.text({"open": 1}).decode(), re.MULTILINE
        )
    )
    for file in ("alerts.yaml", "grafana.json"):
        text = (DEPLOY / file).read_text(encoding="utf-8")
        named = set(re.findall(r"(?:mauerwerk|process)_\w+", text))
        assert named
        assert named <= shown, file
    yaml.safe_load((DEPLOY / "alerts.yaml").read_text(encoding="utf-8"))


def test_every_message_of_the_log_is_described() -> None:
    """Those who run a server find each of them in the guide, as it is written."""
    guide = (ROOT / "docs/how-to/host-a-server.md").read_text(encoding="utf-8")
    sources = (*(ROOT / "src/mauerwerk/server").rglob("*.py"),)
    messages = [
        said
        for source in sources
        for said in re.findall(
            r'_log\.(?:warning|error|exception)\(\s*"([^"%]+)', source.read_text(encoding="utf-8")
        )
    ]

    assert len(messages) > 10
    assert [said for said in messages if f"`{said.strip()}" not in guide] == []


@pytest.mark.process
@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_understands_the_units(tmp_path: Path) -> None:
    """Every line of them."""
    for unit in UNITS:
        text = (DEPLOY / unit).read_text(encoding="utf-8")
        (tmp_path / unit).write_text(text.replace("/opt/mauerwerk/bin/mauerwerk", "/bin/true"))
    command = ["systemd-analyze", "verify", *map(str, sorted(tmp_path.iterdir()))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - fixed

    assert (done.returncode, done.stderr) == (0, "")

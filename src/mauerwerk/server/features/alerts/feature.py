"""What the hosts should see to: old backups, a full disk, lost notifications, a new release."""

from mauerwerk.server.engine.host import Host
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.alerts import service
from mauerwerk.server.http.metrics import Metrics


def _metrics(metrics: Metrics, host: Host) -> None:
    watch = host.service(service.Watch)
    metrics.show_level("disk_used_ratio", "How full the disk is, from 0 to 1.", watch.disk_used)
    metrics.show_level(
        "backup_age_seconds", "How old the last backup is; missing without one.", watch.backup_age
    )


FEATURE = Feature(
    name="alerts",
    settings={"alerts": service.Alerts, "releases": service.Releases},
    start=service.Watch,
    metrics=_metrics,
)

"""A bare window of WebKitGTK that WebKitWebDriver can drive, of any width: WIDTHxHEIGHT [--dark].

It runs with Debian's own Python, which has the bindings of GTK. What goes wrong on a page is
printed, one line each.
"""

import sys
from typing import Any

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402 - after their versions are chosen

LISTEN = """(() => {
  const tell = (what) => webkit.messageHandlers.faults.postMessage(`${location.pathname}: ${what}`);
  addEventListener("error", (event) => tell(event.message ?? event.target.src ?? event.target.href), true);
  addEventListener("unhandledrejection", (event) => tell(event.reason));
  document.addEventListener("securitypolicyviolation", (event) => tell(event.violatedDirective));
  const said = console.error;
  console.error = (...words) => { tell(words.join(" ")); said(...words); };
})()"""  # noqa: E501 - a script

size, *more = sys.argv[1].split()
width, height = map(int, size.split("x"))
Gtk.Settings.get_default().set_property("gtk-application-prefer-dark-theme", "--dark" in more)
context = WebKit2.WebContext.new_with_website_data_manager(
    WebKit2.WebsiteDataManager.new_ephemeral()
)
context.set_automation_allowed(True)


def open_window(*_: object) -> object:
    """Make the window of a session."""
    scripts = WebKit2.UserContentManager()
    scripts.register_script_message_handler("faults")
    scripts.connect(
        "script-message-received::faults",
        lambda _, said: print(said.get_js_value().to_string(), flush=True),  # noqa: T201
    )
    everywhere = WebKit2.UserContentInjectedFrames.ALL_FRAMES
    at_once = WebKit2.UserScriptInjectionTime.START
    scripts.add_script(WebKit2.UserScript(LISTEN, everywhere, at_once, None, None))
    view = WebKit2.WebView(
        is_controlled_by_automation=True, web_context=context, user_content_manager=scripts
    )
    window = Gtk.Window()
    window.set_decorated(False)
    window.set_default_size(width, height)
    window.add(view)
    window.show_all()
    window.resize(width, height)
    view.grab_focus()
    return view


def begin(_: object, session: Any) -> None:  # noqa: ANN401 - WebKit has no types
    """Tell the driver who this is."""
    info = WebKit2.ApplicationInfo()
    info.set_name("window")
    session.set_application_info(info)
    session.connect("create-web-view", open_window)


context.connect("automation-started", begin)
Gtk.main()

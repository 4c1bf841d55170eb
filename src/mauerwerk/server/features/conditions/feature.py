"""Conditional moves in games over days: "if they only do this, I play that"."""

from mauerwerk.server.database.personal_data import of_guest
from mauerwerk.server.engine.events import TableChanged, WrittenElsewhere
from mauerwerk.server.feature import Feature
from mauerwerk.server.features.conditions import api, pages, service, store
from mauerwerk.server.ui.page import PageRoute

FEATURE = Feature(
    name="conditions",
    personal_data=(of_guest("conditions", store.CONDITIONS, "tenure"),),
    operations=api.OPERATIONS,
    start=lambda host, _: service.Conditions(host),
    on={
        kind: lambda host, event: host.service(service.Conditions).table_changed(event)
        for kind in (TableChanged, WrittenElsewhere)
    },
    pages=(PageRoute("/t/{table}/conditions", get=pages.show, post=pages.change),),
)

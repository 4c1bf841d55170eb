"""The big screen: a table for everybody in the room, while phones hold hands and fists."""

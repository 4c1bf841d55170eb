"""Finding a table: open tables with filters, a game for somebody who looks, and invitations."""

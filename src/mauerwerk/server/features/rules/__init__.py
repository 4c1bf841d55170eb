"""The rules as pages: a text for each game and language, with pictures of real positions.

    rulebook("NAME", language_of("de")).html

A text is Markdown with three additions. `{DM-9}` at the beginning of a paragraph or a cell makes it
the place of that clause; `DM-9` anywhere else is a link to it. `![what it shows](gift "caption")`
is the scene `gift` of the game, drawn when the page is made. The first lines, up to an empty one,
are the words of the page's frame. Every language has the same clauses and the same scenes.
"""

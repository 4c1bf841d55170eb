"""Guided first games that teach the rules.

A lesson is a record that the learner replays from seat 0. It stops wherever there is something to
explain; where the next move of the record is one of seat 0, the learner makes it. `game.txt` in the
`lesson` of a game is the record with its stops, `de.md` the German text for them;
`docs/how-to/write-a-lesson.md` says how to write one.
"""

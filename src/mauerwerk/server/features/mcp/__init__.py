"""The Model Context Protocol: a language model looks at its seat, asks about the rules, and plays.

    handler = Handler(tools_for(access), RESOURCES)
    answer = await handler.answer(message)     # a JSON-RPC message; None for a notification

`protocol` knows nothing of tables, `tools` nothing of transports. `mauerwerk mcp` serves them on
stdin and stdout, and `feature` at `/mcp`.
"""

# A server on the official Python SDK: `python python-server.py` over its pipes, `python python-server.py PORT` over HTTP.
import sys

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from pydantic import BaseModel

server = MCPServer(name="python", version="1", log_level="ERROR")


class Colour(BaseModel):
    response: str


@server.tool()
def greet(name: str) -> str:
    """Greets."""
    return f"Hello, {name}!"


@server.tool()
async def ask(message: str, ctx: Context) -> str:
    """Asks the user."""
    answer = await ctx.elicit(message, Colour)
    return f"{answer.action} {answer.data.response if answer.action == 'accept' else ''}"


@server.tool()
async def count(to: int, ctx: Context) -> str:
    """Counts, and says how far it is."""
    for done in range(1, to + 1):
        await ctx.report_progress(done, to)
    return "counted"


if len(sys.argv) > 1:
    server.run("streamable-http", port=int(sys.argv[1]))
else:
    server.run()

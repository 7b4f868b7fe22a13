# A server on the official Python SDK, over its pipes. It asks in the way of whichever era its client speaks.
from typing import Annotated

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel

server = MCPServer(name="python", version="1", log_level="ERROR")


class Colour(BaseModel):
    response: str


def which_colour(message: str) -> Elicit[Colour]:
    return Elicit(message, Colour)


@server.tool()
def greet(name: str) -> str:
    """Greets."""
    return f"Hello, {name}!"


@server.tool()
def ask(message: str, colour: Annotated[Colour, Resolve(which_colour)]) -> str:
    """Asks the user."""
    return f"the user says {colour.response}"


@server.tool()
async def count(to: int, ctx: Context) -> str:
    """Counts, and says how far it is."""
    for done in range(1, to + 1):
        await ctx.report_progress(done, to)
    return "counted"


server.run()

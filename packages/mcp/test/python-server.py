# A server on the official Python SDK: `python-server.py [http|sse]`, else over its pipes. It asks in the way of whichever
# era its client speaks. Over HTTP it prints its address.
import json
import socket
import sys
from typing import Annotated

import uvicorn

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


def listen(app, path: str) -> None:
    door = socket.socket()
    door.bind(("127.0.0.1", 0))
    door.listen()
    print(json.dumps({"url": f"http://127.0.0.1:{door.getsockname()[1]}{path}"}), flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[door])


match sys.argv[1:]:
    case ["http"]:
        listen(server.streamable_http_app(), "/mcp")
    case ["sse"]:
        listen(server.sse_app(), "/sse")
    case _:
        server.run()

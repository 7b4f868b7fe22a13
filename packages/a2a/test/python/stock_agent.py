"""An agent made with the official Python SDK: echo X, ask, never, fail, chunks. Prints its address."""

import asyncio
import socket
import sys

import grpc
import uvicorn
from a2a.helpers.proto_helpers import new_task_from_user_message, new_text_message, new_text_part
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler, GrpcHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import a2a_pb2_grpc
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill
from starlette.applications import Starlette


class Agent(AgentExecutor):
    def __init__(self):
        self.asked = set()
        self.stopped = {}

    async def execute(self, context, event_queue):
        task = context.current_task
        if task is None:
            task = new_task_from_user_message(context.message)
            await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        words = context.get_user_input()
        await updater.start_work()
        if task.id in self.asked:
            self.asked.discard(task.id)
            await updater.add_artifact([new_text_part(f"blue is {words}")], artifact_id="result", name="result")
            await updater.complete()
        elif words == "ask":
            self.asked.add(task.id)
            await updater.requires_input(new_text_message("Which blue?"))
        elif words == "never":
            stop = self.stopped.setdefault(task.id, asyncio.Event())
            await stop.wait()
        elif words == "fail":
            await updater.failed(new_text_message("the disk is full"))
        elif words == "chunks":
            for index, text in enumerate(["one ", "two ", "three"]):
                await updater.add_artifact(
                    [new_text_part(text)], artifact_id="result", name="result", append=index > 0, last_chunk=index == 2
                )
            await updater.complete()
        else:
            await updater.add_artifact([new_text_part(words)], artifact_id="result", name="result")
            await updater.complete()

    async def cancel(self, context, event_queue):
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()
        stop = self.stopped.get(context.task_id)
        if stop is not None:
            stop.set()


async def serve(http, listening, handler, grpc_port):
    server = grpc.aio.server()
    a2a_pb2_grpc.add_A2AServiceServicer_to_server(GrpcHandler(handler), server)
    server.add_insecure_port(f"127.0.0.1:{grpc_port}")
    await server.start()
    await http.serve(sockets=[listening])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main(binding, version):
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    origin = f"http://127.0.0.1:{listening.getsockname()[1]}"
    grpc_port = free_port()
    urls = {"JSONRPC": f"{origin}/rpc", "HTTP+JSON": f"{origin}/rest", "GRPC": f"127.0.0.1:{grpc_port}"}
    card = AgentCard(
        name="stock",
        description="A stock server.",
        version="1",
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        capabilities=AgentCapabilities(streaming=True),
        skills=[AgentSkill(id="work", name="Work", description="Works.", tags=["work"])],
        supported_interfaces=[
            AgentInterface(url=urls[binding], protocol_binding=binding, protocol_version=version)
        ],
    )
    handler = DefaultRequestHandler(agent_executor=Agent(), task_store=InMemoryTaskStore(), agent_card=card)
    routes = [
        *create_agent_card_routes(card),
        *create_jsonrpc_routes(handler, "/rpc", enable_v0_3_compat=True),
        *create_rest_routes(handler, path_prefix="/rest", enable_v0_3_compat=True),
    ]
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes), log_level="error"))
    print(origin, flush=True)
    asyncio.run(serve(server, listening, handler, grpc_port))


main(*sys.argv[1:])

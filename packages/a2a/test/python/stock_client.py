"""The official Python client against a server: stock_client.py URL BINDING. Prints one line of JSON a step."""

import asyncio
import json
import sys
import uuid

import grpc
from a2a.client import ClientConfig
from a2a.client.client_factory import create_client
from a2a.helpers.proto_helpers import get_artifact_text, get_message_text, new_text_part
from a2a.types import CancelTaskRequest, GetTaskRequest, Message, Role, SendMessageRequest, TaskState


async def send(client, text, task=None):
    message = Message(message_id=str(uuid.uuid4()), role=Role.ROLE_USER, parts=[new_text_part(text)])
    if task is not None:
        message.task_id = task.id
        message.context_id = task.context_id
    seen = None
    async for event in client.send_message(SendMessageRequest(message=message)):
        kind = event.WhichOneof("payload")
        if kind == "task":
            seen = event.task.id
        elif kind == "status_update":
            seen = event.status_update.task_id
            # The stream of a paused task stays open (spec 3.1.2); whoever has an answer leaves it.
            if event.status_update.status.state == TaskState.TASK_STATE_INPUT_REQUIRED:
                break
    return await client.get_task(GetTaskRequest(id=seen))


def tell(step, task):
    status = task.status
    said = get_message_text(status.message) if status.HasField("message") else ""
    print(
        json.dumps(
            {
                "step": step,
                "state": TaskState.Name(status.state),
                "said": said,
                "artifacts": [get_artifact_text(artifact) for artifact in task.artifacts],
            }
        ),
        flush=True,
    )


async def main(url, binding):
    config = ClientConfig(
        streaming=True,
        supported_protocol_bindings=[binding],
        use_client_preference=True,
        grpc_channel_factory=grpc.aio.insecure_channel,
    )
    client = await create_client(url, client_config=config)
    tell("echo", await send(client, "echo over the hills"))
    asked = await send(client, "ask Which blue? then finish")
    tell("asked", asked)
    tell("answered", await send(client, "navy", asked))
    waiting = await send(client, "ask Still there? then finish")
    tell("canceled", await client.cancel_task(CancelTaskRequest(id=waiting.id)))
    await client.close()


asyncio.run(main(sys.argv[1], sys.argv[2]))

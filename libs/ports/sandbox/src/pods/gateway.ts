import { frameHeadBytes, frames, maxFrame, windowBytes } from "./frames.ts";

/** Connections at once; more are not accepted. As outside of pods. */
const maxConnections = 128;
/** For one attempt to reach an address, s. */
const reachSeconds = 1;

/**
 * The program in a runner pod's second container. It listens on the pod's own loopback where the API server seems to be,
 * and passes every connection to the executor over its own standard input and output; see `frames.ts`. What a playbook
 * does cannot reach it but by these connections: it is in another container. Before a pod takes a run, it also tries
 * addresses that must not be reachable.
 */
export const gateway = `
import asyncio, json, os, struct
HEAD = struct.Struct(">BII")
links, serving = {}, []

class Link:
    def __init__(self, number, reader, writer):
        self.number, self.reader, self.writer = number, reader, writer
        self.room, self.more, self.queue = ${windowBytes}, asyncio.Event(), asyncio.Queue()

async def main():
    loop = asyncio.get_running_loop()
    inward = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(inward), os.fdopen(0, "rb", 0))
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, os.fdopen(1, "wb", 0))
    outward = asyncio.StreamWriter(transport, protocol, None, loop)

    async def send(kind, number, content=b""):
        outward.write(HEAD.pack(kind, number, len(content)) + content)
        await outward.drain()

    async def deliver(link):
        while True:
            content = await link.queue.get()
            if content is None:
                link.writer.write_eof()
                return
            link.writer.write(content)
            await link.writer.drain()
            await send(${frames.taken}, link.number, len(content).to_bytes(4, "big"))

    async def collect(link):
        while True:
            while link.room <= 0:
                link.more.clear()
                await link.more.wait()
            content = await link.reader.read(min(link.room, ${maxFrame}))
            if not content:
                return await send(${frames.end}, link.number)
            link.room -= len(content)
            await send(${frames.data}, link.number, content)

    count = 0
    async def accept(reader, writer):
        nonlocal count
        if len(links) >= ${maxConnections}:
            return writer.transport.abort()
        count += 1
        link = links[count] = Link(count, reader, writer)
        try:
            await send(${frames.open}, link.number)
            await asyncio.gather(deliver(link), collect(link))
        except (OSError, RuntimeError):
            pass
        finally:
            if links.pop(link.number, None):
                await send(${frames.reset}, link.number)
            writer.transport.abort()

    async def reached(host, port):
        try:
            _, writer = await asyncio.wait_for(asyncio.open_connection(host, port), ${reachSeconds})
        except (OSError, asyncio.TimeoutError):
            return False
        writer.transport.abort()
        return True

    async def check(content):
        addresses = json.loads(content)
        own = os.environ.get("KUBERNETES_SERVICE_HOST"), os.environ.get("KUBERNETES_SERVICE_PORT")
        addresses += [own] if all(own) else []
        found = await asyncio.gather(*(reached(host, int(port)) for host, port in addresses))
        answer = [f"{host} port {port}" for (host, port), is_there in zip(addresses, found) if is_there]
        await send(${frames.check}, 0, json.dumps(answer).encode())

    tasks = set()
    while True:
        kind, number, length = HEAD.unpack(await inward.readexactly(HEAD.size))
        content = await inward.readexactly(length)
        link = links.get(number)
        if kind == ${frames.listen}:
            serving.append(await asyncio.start_server(accept, "127.0.0.1", number))
            await send(${frames.listen}, number)
        elif kind == ${frames.check}:
            task = loop.create_task(check(content))
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        elif link and kind == ${frames.data}:
            link.queue.put_nowait(content)
        elif link and kind == ${frames.end}:
            link.queue.put_nowait(None)
        elif link and kind == ${frames.taken}:
            link.room += int.from_bytes(content, "big")
            link.more.set()
        elif link and kind == ${frames.reset}:
            links.pop(number)
            link.writer.transport.abort()
            link.room = 1
            link.queue.put_nowait(None)
            link.more.set()

assert HEAD.size == ${frameHeadBytes}
try:
    asyncio.run(main())
finally:
    os._exit(0)
`;

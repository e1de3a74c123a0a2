/**
 * A network on this machine in which each pod has an address, and each service has one that
 * forwards connections to ready pods, as kube-proxy does. It is isolated from other machines.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePrefix, hostIp, type Ip } from '../containers/host-network.ts';

export interface Target {
  host: string;
  port: number;
}

interface PodNetwork {
  ip: string;
  /** The path of its network namespace. */
  file: string;
  remove(): Promise<void>;
}

export interface Network {
  addPod(name: string): Promise<PodNetwork>;
  /** Another address, for a service. */
  addAddress(): Promise<string>;
  /**
   * Connections to the service go to the address that `target` returns at that moment; without one
   * they are closed.
   */
  serve(at: Target, target: () => Target | undefined): Promise<void>;
  /** The address at which pods reach this machine's loopback. */
  offer(host: string): Promise<Target>;
  stop(): Promise<void>;
}

const SERVICES_FROM = 200;

export async function openNetwork(name: string): Promise<Network> {
  const ip = await hostIp();
  const bridge = `${name}b`;
  const prefix = await openBridge(ip, bridge);
  const servers = new Set<Server>();
  const sockets = new Set<Socket>();
  let pods = 1;
  let services = SERVICES_FROM;

  async function addPod(pod: string): Promise<PodNetwork> {
    const number = ++pods;
    const address = `${prefix}.${number}`;
    const outer = `${name}p${number}`;
    await ip('netns', 'add', pod);
    await ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', pod);
    await ip('link', 'set', outer, 'master', bridge, 'up');
    await ip('-n', pod, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
    for (const device of ['lo', 'eth0']) await ip('-n', pod, 'link', 'set', device, 'up');
    const remove = async () => void (await ip('netns', 'del', pod));
    return { ip: address, file: `/run/netns/${pod}`, remove };
  }

  async function addAddress(): Promise<string> {
    const address = `${prefix}.${services++}`;
    await ip('addr', 'add', `${address}/32`, 'dev', bridge);
    return address;
  }

  async function serve(at: Target, target: () => Target | undefined): Promise<void> {
    await forward(createServer({ allowHalfOpen: true }), { at, target, servers, sockets });
  }

  async function offer(host: string): Promise<Target> {
    const [address = '', port = ''] = host.split(':');
    const at = { host: `${prefix}.1`, port: Number(port) };
    await serve(at, () => ({ host: address, port: Number(port) }));
    return at;
  }

  async function stop(): Promise<void> {
    for (const socket of sockets) socket.destroy();
    for (const server of servers) {
      server.close();
      await once(server, 'close');
    }
    await ip('link', 'del', bridge);
  }

  return { addPod, addAddress, serve, offer, stop };
}

/**
 * Returns the first three octets of its addresses. A bridge without a fixed address takes that of
 * one of its ports, another one each time a pod starts or ends, and pods then send to the old one
 * for some seconds.
 */
async function openBridge(ip: Ip, bridge: string): Promise<string> {
  await ip('link', 'add', bridge, 'address', macAddress(), 'type', 'bridge');
  const prefix = await freePrefix(ip);
  await ip('addr', 'add', `${prefix}.1/24`, 'dev', bridge);
  await ip('link', 'set', bridge, 'up');
  return prefix;
}

/** Locally administered, unicast. */
function macAddress(): string {
  return ['02', ...(randomBytes(5).toString('hex').match(/../g) ?? [])].join(':');
}

interface Forwarding {
  at: Target;
  target: () => Target | undefined;
  servers: Set<Server>;
  sockets: Set<Socket>;
}

async function forward(
  server: Server,
  { at, target, servers, sockets }: Forwarding,
): Promise<void> {
  server.on('connection', (near) => {
    const to = target();
    if (to === undefined) return near.resetAndDestroy();
    const far = connect({ ...to, allowHalfOpen: true });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => sockets.delete(one));
      one.pipe(other);
    }
  });
  servers.add(server);
  server.listen(at.port, at.host);
  await once(server, 'listening');
}

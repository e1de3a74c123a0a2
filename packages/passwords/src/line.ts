/**
 * The passwords that wait to be checked. Clients take turns, and of one client the newest request
 * is first: a burst of one address then delays neither other addresses nor a later request of the
 * same address. Where there is no room, the oldest request of the client with the most leaves.
 */

interface OfClient {
  /** Its address; undefined for work that no address asked for. */
  client: string | undefined;
}

export interface Line<T extends OfClient> {
  /** Adds a request, and returns the one that has to leave for it, if one has to. */
  add(request: T): T | undefined;
  next(): T | undefined;
  clear(): T[];
}

interface Room {
  most: number;
  /** Of one address. */
  mostOfClient: number;
}

export function createLine<T extends OfClient>({ most, mostOfClient }: Room): Line<T> {
  /** In the order in which clients have their turn; of each client the oldest request first. */
  const clients = new Map<string | undefined, T[]>();

  const all = () => [...clients.values()].flat();

  function without(client: string | undefined, take: (own: T[]) => T | undefined) {
    const own = clients.get(client) ?? [];
    const taken = take(own);
    if (own.length === 0) clients.delete(client);
    return taken;
  }

  function crowded(latest: string | undefined): string | undefined {
    const lengths = [...clients].map(([client, own]) => ({ client, length: own.length }));
    const longest = Math.max(...lengths.map(({ length }) => length));
    const own = lengths.find(({ client }) => client === latest);
    if (own?.length === longest) return latest;
    return lengths.find(({ length }) => length === longest)?.client;
  }

  function add(request: T): T | undefined {
    const { client } = request;
    const own = [...(clients.get(client) ?? []), request];
    clients.set(client, own);
    const isFull = client !== undefined && own.length > mostOfClient;
    if (isFull) return without(client, (requests) => requests.shift());
    if (all().length <= most) return undefined;
    return without(crowded(client), (requests) => requests.shift());
  }

  function next(): T | undefined {
    const [first] = clients;
    if (!first) return undefined;
    const [client, own] = first;
    const request = own.pop();
    // Its next turn is after those of all others.
    clients.delete(client);
    if (own.length > 0) clients.set(client, own);
    return request;
  }

  function clear(): T[] {
    const requests = all();
    clients.clear();
    return requests;
  }

  return { add, next, clear };
}

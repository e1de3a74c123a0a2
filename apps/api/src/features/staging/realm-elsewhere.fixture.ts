/** For tests only: a registry that names its own token service by another address. */
import { createServer } from 'node:http';

export function realmElsewhere(address: string) {
  return createServer((request, response) => {
    const port = request.socket.localPort ?? 0;
    const realm = `Bearer realm="http://${address}:${port}/token",service="s"`;
    const isToken = request.url?.startsWith('/token') ?? false;
    response
      .writeHead(isToken ? 200 : 401, {
        'content-type': 'application/json',
        ...(!isToken && { 'www-authenticate': realm }),
      })
      .end(JSON.stringify(isToken ? { token: 'of-a-stranger' } : { errors: [] }));
  });
}

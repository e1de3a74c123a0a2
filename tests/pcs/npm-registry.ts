/** Packs `pcs` with `npm pack`, and serves it as the npm registry would. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { run } from '@portcullis/embedded';

const APP = path.resolve(import.meta.dirname, '../../apps/pcs');

export interface NpmRegistry extends AsyncDisposable {
  url: string;
}

export async function servePacked(dir: string): Promise<NpmRegistry> {
  const where = ['--silent', '--pack-destination', dir];
  const name = (await run('npm', ['pack', ...where], { cwd: APP, env: process.env })).trim();
  const tarball = await readFile(path.join(dir, name));
  const manifest = JSON.parse(await readFile(path.join(APP, 'package.json'), 'utf8'));
  const server = createServer((request, response) => {
    const document = () => packument(manifest, `http://${request.headers.host}/${name}`, tarball);
    response.end(request.url === `/${name}` ? tarball : JSON.stringify(document()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function packument(
  manifest: { name: string; version: string; devDependencies?: unknown },
  tarball: string,
  bytes: Uint8Array,
) {
  const { name, version } = manifest;
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const versions = { [version]: { ...manifest, dist: { tarball, integrity } } };
  return { name, 'dist-tags': { latest: version }, versions };
}

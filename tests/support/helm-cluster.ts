/** The part of the Kubernetes API that helm needs to look up Secrets: discovery, and Secrets. */
import { createServer } from 'node:http';

export interface Kind {
  apiVersion: string;
  kind: string;
}

export interface HelmCluster extends AsyncDisposable {
  url: string;
}

/** `data` of each Secret by name, read at each request. */
export async function startHelmCluster(
  kinds: readonly Kind[],
  secret: (name: string) => Record<string, string> | undefined,
): Promise<HelmCluster> {
  const fixed: Record<string, object> = {
    ...discovery(kinds),
    '/version': { major: '1', minor: '37', gitVersion: 'v1.37.0' },
  };
  const server = createServer((request, response) => {
    const place = request.url?.split('?', 1)[0] ?? '';
    const [, name] = /^\/api\/v1\/namespaces\/[^/]+\/secrets\/([^/]+)$/.exec(place) ?? [];
    const data = name === undefined ? undefined : secret(name);
    const answer = data === undefined ? fixed[place] : secretOf(name ?? '', data);
    response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(
      JSON.stringify(
        answer ?? { kind: 'Status', status: 'Failure', reason: 'NotFound', code: 404 },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function secretOf(name: string, data: Record<string, string>): object {
  const annotations = {
    'meta.helm.sh/release-name': 'rel',
    'meta.helm.sh/release-namespace': 'prod',
  };
  const metadata = { name, labels: { 'app.kubernetes.io/managed-by': 'Helm' }, annotations };
  return { apiVersion: 'v1', kind: 'Secret', metadata, data };
}

/** The discovery documents of a cluster with these kinds. */
function discovery(all: readonly Kind[]): Record<string, object> {
  const versions = [...new Set(all.map(({ apiVersion }) => apiVersion))];
  const resources = (version: string) =>
    [
      ...new Set(all.filter(({ apiVersion }) => apiVersion === version).map(({ kind }) => kind)),
    ].map((kind) => {
      const singularName = kind.toLowerCase();
      return { name: `${singularName}s`, singularName, namespaced: true, kind, verbs: ['get'] };
    });
  const groups = versions
    .filter((version) => version.includes('/'))
    .map((groupVersion) => {
      const [name, version] = groupVersion.split('/');
      const preferredVersion = { groupVersion, version };
      return { name, versions: [preferredVersion], preferredVersion };
    });
  return {
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups },
    ...Object.fromEntries(
      versions.map((groupVersion) => [
        `/${groupVersion.includes('/') ? 'apis' : 'api'}/${groupVersion}`,
        { kind: 'APIResourceList', groupVersion, resources: resources(groupVersion) },
      ]),
    ),
  };
}

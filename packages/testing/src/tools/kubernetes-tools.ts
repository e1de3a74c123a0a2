/** helm and kubeconform, built from tools/go/kubernetes. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { go } from './go.ts';
import { buildOnce } from './go-program.ts';

const COMMANDS = ['helm.sh/helm/v4/cmd/helm', 'github.com/yannh/kubeconform/cmd/kubeconform'];

/** Time limit of the first build; later ones use the cache. */
export const KUBERNETES_TOOLS_BUILD_MS = 30 * 60 * 1000;

export interface KubernetesTools {
  helm: string;
  kubeconform: string;
  /** The fields and types of every type of the Kubernetes API, from its Go client. YAML. */
  types: string;
}

export async function kubernetesTools(): Promise<KubernetesTools> {
  const dir = await buildOnce('kubernetes', ['go.sum'], build);
  return {
    helm: join(dir, 'helm'),
    kubeconform: join(dir, 'kubeconform'),
    types: await readFile(join(dir, 'types.yaml'), 'utf8'),
  };
}

async function build(dir: string, module: string): Promise<void> {
  const at = { cwd: module };
  await go(['build', '-trimpath', '-o', `${dir}/`, ...COMMANDS], at);
  const client = (await go(['list', '-m', '-f', '{{.Dir}}', 'k8s.io/client-go'], at)).trim();
  const source = await readFile(join(client, 'applyconfigurations/internal/internal.go'), 'utf8');
  await writeFile(join(dir, 'types.yaml'), /YAMLObject\(`([^`]*)`\)/.exec(source)?.[1] ?? '');
}

/** helm and kubeconform, built from tools/go/kubernetes. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { go } from './go.ts';
import { type Build, buildOnce } from './go-program.ts';

const COMMANDS = ['helm.sh/helm/v4/cmd/helm', 'github.com/yannh/kubeconform/cmd/kubeconform'];

export interface KubernetesTools {
  helm: string;
  kubeconform: string;
  /** The fields and types of every type of the Kubernetes API, from its Go client. YAML. */
  types: string;
}

export async function kubernetesTools(signal?: AbortSignal): Promise<KubernetesTools> {
  const dir = await buildOnce({ name: 'kubernetes', pins: ['go.sum'], build, signal });
  return {
    helm: join(dir, 'helm'),
    kubeconform: join(dir, 'kubeconform'),
    types: await readFile(join(dir, 'types.yaml'), 'utf8'),
  };
}

async function build({ draft, at }: Build): Promise<void> {
  await go(['build', '-trimpath', '-o', `${draft}/`, ...COMMANDS], at);
  const client = (await go(['list', '-m', '-f', '{{.Dir}}', 'k8s.io/client-go'], at)).trim();
  const source = await readFile(join(client, 'applyconfigurations/internal/internal.go'), 'utf8');
  await writeFile(join(draft, 'types.yaml'), /YAMLObject\(`([^`]*)`\)/.exec(source)?.[1] ?? '');
}

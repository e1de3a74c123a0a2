/** The API server of Kubernetes and its etcd, built from tools/go/kube-apiserver. */
import { join } from 'node:path';
import { go } from './go.ts';
import { buildOnce } from './go-program.ts';

const PROGRAMS = ['go.etcd.io/etcd/server/v3', 'k8s.io/kubernetes/cmd/kube-apiserver'];

interface ControlPlane {
  apiServer: string;
  etcd: string;
}

export async function controlPlane(signal?: AbortSignal): Promise<ControlPlane> {
  const dir = await buildOnce({
    name: 'kube-apiserver',
    pins: ['go.sum'],
    build: ({ draft, at }) => go(['build', '-trimpath', '-o', `${draft}/`, ...PROGRAMS], at),
    signal,
  });
  return { apiServer: join(dir, 'kube-apiserver'), etcd: join(dir, 'server') };
}

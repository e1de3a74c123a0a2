/** Scans of images in a registry: requests one, and follows those of a repository that are open. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ask, call } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useNotices } from '../../../kit/action/notices.ts';
import type { RepositoryLocation } from '../repository-location.ts';
import { imagesChanged } from '../use-image-change.ts';

const POLL_MS = 1_500;

interface Scanned {
  tag: string;
  digest: string;
}

export function useImageScan({ registryId, repository }: RepositoryLocation) {
  const t = useMessages('standing');
  const notices = useNotices();
  const queries = useQueryClient();
  const scans = ask('trivy.listScans', {
    query: { repository, registry_id: registryId, limit: 50 },
  });
  // Where the scanner is switched off no account can scan.
  const canScan = useQuery(ask('trivy.state')).data?.enabled ?? false;
  const { data = [] } = useQuery({
    ...scans,
    enabled: canScan,
    refetchInterval: (query) => (query.state.data?.some(isOpen) ? POLL_MS : false),
  });
  const open = data.filter(isOpen).map(({ digest }) => digest);
  const count = open.length;
  // A scan that ended may have changed the verdict of each tag of its digest.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when a scan begins or ends
  useEffect(() => imagesChanged(queries), [count]);
  const request = useMutation({
    async mutationFn(images: readonly Scanned[]) {
      for (const { tag } of images)
        await call('trivy.scanImage', {
          body: { image: `${repository}:${tag}`, registry_id: registryId },
        });
    },
    onSuccess: () => notices.done(t.requested),
    onError: notices.fault,
    // Some may have begun before one failed.
    async onSettled() {
      await queries.invalidateQueries(scans);
      imagesChanged(queries);
    },
  });
  return {
    canScan,
    isScanning: ({ digest }: Pick<Scanned, 'digest'>) =>
      open.includes(digest) ||
      (request.isPending && request.variables.some((image) => image.digest === digest)),
    scan: (image: Scanned) => request.mutate([image]),
    scanAll: request.mutate,
  };
}

function isOpen({ state }: { state: string }): boolean {
  return state === 'queued' || state === 'running';
}

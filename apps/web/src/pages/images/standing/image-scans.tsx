/**
 * The scans of a repository's images: requests them, and follows those that are open. One provider
 * for the page, because each row of a list may ask.
 */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useMemo, useRef } from 'react';
import { ask, call, keyOf, page } from '../../../api/api.ts';
import { everyPage } from '../../../api/every-page.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useNotices } from '../../../kit/action/notices.ts';
import type { RepositoryLocation } from '../repository-location.ts';
import { imagesChanged } from '../use-image-change.ts';

const POLL_MS = 1_500;

interface Scanned {
  tag: string;
  digest: string;
}

interface Scans {
  /** False where the scanner is switched off. */
  canScan: boolean;
  isScanning(image: Pick<Scanned, 'digest'>): boolean;
  scan(images: readonly Scanned[]): void;
}

const ScansContext = createContext<Scans | null>(null);

export function useImageScans(): Scans {
  const scans = use(ScansContext);
  if (scans === null) throw new Error('outside of ImageScans');
  return scans;
}

export function ImageScans({
  place,
  children,
}: {
  place: RepositoryLocation;
  children: ReactNode;
}) {
  return <ScansContext value={useScans(place)}>{children}</ScansContext>;
}

function useScans(place: RepositoryLocation): Scans {
  // Where the scanner is switched off no account can scan.
  const canScan = useQuery(ask('trivy.state')).data?.enabled ?? false;
  const open = useOpenScans(place, canScan);
  const { mutate: scan, isPending, variables } = useScanRequest(place);
  return useMemo(() => {
    const busy = new Set([...open, ...(isPending ? variables.map(({ digest }) => digest) : [])]);
    return { canScan, isScanning: ({ digest }) => busy.has(digest), scan };
  }, [canScan, open, scan, isPending, variables]);
}

const NONE: string[] = [];

/** @returns the digests of images that wait for a scan or are scanned */
function useOpenScans(place: RepositoryLocation, canScan: boolean): string[] {
  const queries = useQueryClient();
  const { data: open = NONE } = useQuery({
    ...scansOf(place),
    enabled: canScan,
    select: digestsOf,
    refetchInterval: ({ state }) => (state.data?.length ? POLL_MS : false),
  });
  const digests = open.join();
  const before = useRef(digests);
  // A scan that ended may have changed the verdict of each tag of its digest.
  useEffect(() => {
    if (before.current === digests) return;
    before.current = digests;
    imagesChanged(queries);
  }, [digests, queries]);
  return open;
}

function useScanRequest({ registryId, repository }: RepositoryLocation) {
  const t = useMessages('standing');
  const notices = useNotices();
  const queries = useQueryClient();
  return useMutation({
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
      await queries.invalidateQueries(scansOf({ registryId, repository }));
      imagesChanged(queries);
    },
  });
}

function scansOf({ registryId, repository }: RepositoryLocation) {
  const query = { repository, registry_id: registryId, open: 'true' } as const;
  return {
    queryKey: keyOf('trivy.listScans', { query }),
    queryFn: () => everyPage((of) => page('trivy.listScans', { query: { ...query, ...of } })),
  };
}

function digestsOf(scans: readonly { digest: string }[]): string[] {
  return scans.map(({ digest }) => digest);
}

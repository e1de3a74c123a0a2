/**
 * The scans of a repository's images: requests them, and follows those that are open. One provider
 * for the page, because each row of a list may ask.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useMemo, useRef } from 'react';
import { keyOf, page, useAnswer } from '../../../api/api.ts';
import { everyPage } from '../../../api/every-page.ts';
import type { RepositoryLocation } from '../repository-location.ts';
import { imagesChanged } from '../use-image-change.ts';
import { useScanOrders } from './use-scan-orders.tsx';

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
  const { scans, question } = useScans(place);
  return (
    <ScansContext value={scans}>
      {children}
      {question}
    </ScansContext>
  );
}

function useScans(place: RepositoryLocation): { scans: Scans; question: ReactNode } {
  const { registryId, repository } = place;
  // Where the scanner is switched off no account can scan.
  const canScan = useAnswer('trivy.state').data?.enabled ?? false;
  const open = useOpenScans(place, canScan);
  const { order, pending, question } = useScanOrders(registryId);
  const scans = useMemo((): Scans => {
    const busy = new Set([...open, ...digestsOf(pending)]);
    return {
      canScan,
      isScanning: ({ digest }) => busy.has(digest),
      scan: (images) => order(images.map(({ tag, digest }) => ({ repository, digest, name: tag }))),
    };
  }, [canScan, open, order, pending, repository]);
  return { scans, question };
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

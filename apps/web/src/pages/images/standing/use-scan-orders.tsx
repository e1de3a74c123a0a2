/** Requests scans of images, one after the other; asks first where there are many. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import { call, keyOf } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useNamedNotice } from '../../../kit/action/bulk-notice.tsx';
import { bulkResultOf, settledInTurn } from '../../../kit/action/bulk-result.ts';
import { ConfirmDialog } from '../../../kit/action/confirm-dialog.tsx';
import { useNotices } from '../../../kit/action/notices.ts';
import { entryName } from '../../../kit/selection/entry.ts';
import { imagesChanged } from '../use-image-change.ts';

/** By its digest: a tag may lead to another image by now. */
interface ScannedImage {
  repository: string;
  digest: string;
  /** As the list shows it. */
  name: string;
}

interface ScanOrders {
  /** The same in each render. */
  order(images: readonly ScannedImage[]): void;
  /** Those whose scans are being requested. */
  pending: readonly ScannedImage[];
  /** To be rendered. */
  question: ReactNode;
}

const MOST_UNASKED = 100;
const NONE: readonly ScannedImage[] = [];

export function useScanOrders(registryId: string): ScanOrders {
  const { mutate, isPending, variables } = useScanRequests(registryId);
  const [asked, setAsked] = useState(NONE);
  const order = useCallback(
    (images: readonly ScannedImage[]) =>
      images.length > MOST_UNASKED ? setAsked(images) : mutate(images),
    [mutate],
  );
  const close = () => setAsked(NONE);
  function confirm(): void {
    close();
    mutate(asked);
  }
  return {
    order,
    pending: isPending ? variables : NONE,
    question: asked.length > 0 && (
      <ScanQuestion count={asked.length} onConfirm={confirm} onClose={close} />
    ),
  };
}

function useScanRequests(registryId: string) {
  const { images: t } = useMessages('rowActs');
  const queries = useQueryClient();
  const notices = useNotices();
  const report = useNamedNotice();
  return useMutation({
    mutationFn: (images: readonly ScannedImage[]) =>
      settledInTurn(images, ({ repository, digest }) =>
        call('trivy.scanImage', {
          body: { image: `${repository}@${digest}`, registry_id: registryId },
        }),
      ),
    onSuccess(results, images) {
      const result = bulkResultOf(results, images.map(entryName));
      if (result.done > 0) notices.done(t.scans(result.done));
      report(result);
    },
    async onSettled() {
      imagesChanged(queries);
      await queries.invalidateQueries({ queryKey: keyOf('trivy.listScans') });
    },
  });
}

interface ScanQuestionProps {
  count: number;
  onConfirm(): void;
  onClose(): void;
}

function ScanQuestion({ count, ...dialog }: ScanQuestionProps) {
  const { images: t, scan } = useMessages('rowActs');
  return (
    <ConfirmDialog opened title={t.scanTitle(count)} action={scan} {...dialog}>
      {t.scanText}
    </ConfirmDialog>
  );
}

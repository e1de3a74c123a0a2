import { Button } from '@mantine/core';
import { useMessages } from '../../../i18n/messages.ts';
import { useImageScans } from './image-scans.tsx';

interface ScanButtonProps {
  image: { tag: string; digest: string };
  /** Whether there is a report of it. */
  wasScanned: boolean;
}

export function ScanButton({ image, wasScanned }: ScanButtonProps) {
  const t = useMessages('standing');
  const { canScan, isScanning, scan } = useImageScans();
  if (!canScan) return null;
  const isBusy = isScanning(image);
  return (
    <Button variant="default" size="compact-sm" disabled={isBusy} onClick={() => scan([image])}>
      {isBusy ? t.scanning : wasScanned ? t.scanAgain : t.scan}
    </Button>
  );
}

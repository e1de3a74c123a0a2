import { Button } from '@mantine/core';
import { useMessages } from '../../../i18n/messages.ts';
import type { RepositoryLocation } from '../repository-location.ts';
import { useImageScan } from './use-image-scan.ts';

interface ScanButtonProps {
  place: RepositoryLocation;
  image: { tag: string; digest: string };
  /** Whether there is a report of it. */
  wasScanned: boolean;
}

export function ScanButton({ place, image, wasScanned }: ScanButtonProps) {
  const t = useMessages('standing');
  const { canScan, isScanning, scan } = useImageScan(place);
  if (!canScan) return null;
  const isBusy = isScanning(image);
  return (
    <Button
      variant="default"
      size="compact-sm"
      disabled={isBusy}
      onClick={() => scan({ tag: image.tag, digest: image.digest })}
    >
      {isBusy ? t.scanning : wasScanned ? t.scanAgain : t.scan}
    </Button>
  );
}

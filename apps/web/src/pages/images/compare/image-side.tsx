/** Digest, size, date and scan of a compared image. */
import type { ComparedImage } from '@portcullis/contract';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { FactList } from '../../../kit/layout/panel.tsx';
import { Digest } from '../../../kit/text/digest.tsx';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import images from '../images.module.css';

interface ImageSideProps {
  image: ComparedImage;
  /** Absent for the image that is compared with. */
  growth?: number;
}

export function ImageSide({ image, growth }: ImageSideProps) {
  const [t, format] = useWords('comparison');
  return (
    <FactList
      facts={[
        [t.digest, <Digest key="digest" digest={image.digest} />],
        [t.platform, image.platform],
        [
          t.size,
          <span key="size">
            {format.bytes(image.size)}
            {growth !== undefined && <span className={images.none}> · {growthText(growth)}</span>}
          </span>,
        ],
        [t.created, image.created && <RelativeTime key="created" at={image.created} />],
        [t.scanned, <Scan key="scanned" report={image.report} />],
      ]}
    />
  );

  function growthText(bytes: number): string {
    if (bytes === 0) return t.sameSize;
    return bytes > 0 ? t.larger(format.bytes(bytes)) : t.smaller(format.bytes(-bytes));
  }
}

function Scan({ report }: Pick<ComparedImage, 'report'>) {
  const t = useMessages('comparison');
  if (report === null) return t.notScanned;
  return (
    <>
      <RelativeTime at={report.scanned_at} />
      {report.coverage === 'none' && <div className={images.none}>{t.nothingJudged}</div>}
      {report.coverage === 'partial' && <div className={images.none}>{t.partly}</div>}
    </>
  );
}

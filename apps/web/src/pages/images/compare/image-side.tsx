/** Digest, size, date and scan of a compared image. */
import type { ComparedImage } from '@portcullis/contract';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { Digest } from '../../../kit/text/digest.tsx';
import { RelativeTime } from '../../../kit/text/relative-time.tsx';
import images from '../images.module.css';

interface ImageSideProps {
  image: ComparedImage;
  /** Absent for the image that is compared with. */
  growth?: number;
}

export function ImageSide({ image, growth }: ImageSideProps) {
  const t = useMessages('comparison');
  const format = useFormat();
  return (
    <dl className={images.facts}>
      <dt>{t.digest}</dt>
      <dd>
        <Digest digest={image.digest} />
      </dd>
      {image.platform !== null && (
        <>
          <dt>{t.platform}</dt>
          <dd>{image.platform}</dd>
        </>
      )}
      <dt>{t.size}</dt>
      <dd>
        {format.bytes(image.size)}
        {growth !== undefined && <span className={images.none}> · {growthText(growth)}</span>}
      </dd>
      {image.created !== null && (
        <>
          <dt>{t.created}</dt>
          <dd>
            <RelativeTime at={image.created} />
          </dd>
        </>
      )}
      <dt>{t.scanned}</dt>
      <dd>
        <Scan report={image.report} />
      </dd>
    </dl>
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

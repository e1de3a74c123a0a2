import type { ImageDetail } from '@portcullis/contract';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import classes from '../images.module.css';
import { SectionTitle } from './section-title.tsx';

/** From the base up; the bar compares each with the largest. */
export function Layers({ layers }: Pick<ImageDetail, 'layers'>) {
  const t = useMessages('images');
  const format = useFormat();
  const largest = Math.max(1, ...layers.map(({ size }) => size));
  const sum = layers.reduce((total, { size }) => total + size, 0);
  return (
    <section>
      <SectionTitle note={t.layersSum(layers.length, format.bytes(sum))}>{t.layers}</SectionTitle>
      <ol className={classes.layers}>
        {layers.map(({ digest, size, created_by, media_type }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same layer may stand twice, and none moves
          <li key={index} className={classes.layer}>
            <div className={classes.layerSize} title={digest}>
              {format.bytes(size)}
              <div className={classes.layerBar} style={{ width: `${(size / largest) * 100}%` }} />
            </div>
            <code className={classes.layerBy} title={created_by ?? media_type}>
              {created_by === null ? media_type : readable(created_by)}
            </code>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What every line of a Dockerfile begins with says nothing. */
function readable(command: string): string {
  return command
    .replace(/^\/bin\/sh -c #\(nop\)\s+/, '')
    .replace(/^(?:RUN )?\/bin\/sh -c /, 'RUN ')
    .replace(/ # buildkit$/, '');
}

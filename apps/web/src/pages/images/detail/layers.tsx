import { Anchor } from '@mantine/core';
import type { ImageDetail } from '@portcullis/contract';
import { useFormat } from '../../../i18n/format.ts';
import { useMessages } from '../../../i18n/messages.ts';
import classes from '../images.module.css';
import { readableStep } from './build-step.ts';
import { SectionTitle } from './section-title.tsx';

interface LayersProps extends Pick<ImageDetail, 'layers'> {
  /** Digest of the layer to show; null for none. */
  marked?: string | null;
  /** Absent where an artifact has no packages. */
  onPackages?: (digest: string) => void;
}

/** The base layer first; bars are relative to the largest layer. */
export function Layers({ layers, marked = null, onPackages }: LayersProps) {
  const t = useMessages('images');
  const { ofLayer, title: packages } = useMessages('imagePackages');
  const format = useFormat();
  const largest = Math.max(1, ...layers.map(({ size }) => size));
  const sum = layers.reduce((total, { size }) => total + size, 0);
  return (
    <section>
      <SectionTitle hint={t.layersSum(layers.length, format.bytes(sum))}>{t.layers}</SectionTitle>
      <ol className={classes.layers}>
        {layers.map(({ digest, size, created_by, media_type }, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: a layer may occur twice
            key={index}
            className={classes.layer}
            data-marked={digest === marked || undefined}
            aria-current={digest === marked || undefined}
            tabIndex={digest === marked ? -1 : undefined}
            ref={digest === marked ? show : null}
          >
            <div className={classes.layerSize} title={digest}>
              {format.bytes(size)}
              <div className={classes.layerBar} style={{ width: `${(size / largest) * 100}%` }} />
            </div>
            <div>
              <code className={classes.layerBy} title={created_by ?? media_type}>
                {created_by === null ? media_type : readableStep(created_by)}
              </code>
              {onPackages && (
                <Anchor
                  component="button"
                  type="button"
                  size="xs"
                  aria-label={ofLayer(format.number(index + 1))}
                  onClick={() => onPackages(digest)}
                >
                  {packages}
                </Anchor>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function show(layer: HTMLElement | null): void {
  layer?.scrollIntoView({ block: 'center' });
  layer?.focus({ preventScroll: true });
}

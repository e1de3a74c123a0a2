/** Shows the layers of an image with their sizes and findings. */
import { Anchor, Group } from '@mantine/core';
import type { ImageDetail } from '@portcullis/contract';
import { SEVERITIES, type SeverityCounts } from '@portcullis/domain';
import { Link } from 'react-router';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { SeverityCountsView } from '../../../kit/verdict/severity-counts.tsx';
import classes from '../images.module.css';
import { readableStep } from './build-step.ts';
import { SectionTitle } from './section-title.tsx';

interface LayersProps extends Pick<ImageDetail, 'layers'> {
  /** The job with the findings; null where the account may not read it. */
  jobId?: string | null;
  /** Digest of the layer to show; null for none. */
  marked?: string | null;
  /** Absent where an artifact has no packages. */
  onPackages?: (digest: string) => void;
}

/** The base layer first; bars are relative to the largest layer. */
export function Layers({ layers, jobId = null, marked = null, onPackages }: LayersProps) {
  const [t, format] = useWords('images');
  const { ofLayer, title: packages } = useMessages('imagePackages');
  const largest = Math.max(1, ...layers.map(({ size }) => size));
  const sum = layers.reduce((total, { size }) => total + size, 0);
  return (
    <section>
      <SectionTitle hint={t.layersSum(layers.length, format.bytes(sum))}>{t.layers}</SectionTitle>
      <ol className={classes.layers}>
        {layers.map(({ digest, size, created_by, media_type, findings }, index) => (
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
              {findings && (
                <LayerFindings
                  number={index + 1}
                  counts={findings}
                  path={jobId && findingsPath(jobId, digest)}
                />
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

interface LayerFindingsProps {
  number: number;
  counts: SeverityCounts;
  /** Of the list of them; null where the account may not read it. */
  path: string | null;
}

function LayerFindings({ number, counts, path }: LayerFindingsProps) {
  const [t, format] = useWords('images');
  const { findings } = useMessages('verdict');
  const total = SEVERITIES.reduce((sum, each) => sum + counts[each], 0);
  if (total === 0) return null;
  return (
    <Group gap="2px 8px">
      <SeverityCountsView counts={counts} inWords />
      {path !== null && (
        <Anchor
          component={Link}
          to={path}
          size="xs"
          aria-label={t.layerFindings(format.number(number), findings(total))}
        >
          {findings(total)}
        </Anchor>
      )}
    </Group>
  );
}

function findingsPath(jobId: string, layer: string): string {
  return `/staging/${jobId}?${new URLSearchParams({ layer })}`;
}

function show(layer: HTMLElement | null): void {
  layer?.scrollIntoView({ block: 'center' });
  layer?.focus({ preventScroll: true });
}

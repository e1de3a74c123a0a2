/** Which layer filters the findings of a job, with the step that made it, and what removes it. */
import { Pill } from '@mantine/core';
import type { Job } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { useAnswer } from '../../../api/api.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { readableStep } from '../../images/detail/build-step.ts';
import type { ShownFinding } from './finding-list.ts';
import classes from './findings.module.css';
import { pushedImage } from './pushed-image.ts';

interface LayerFilterProps {
  job: Job;
  layer: string;
  /** Of the layer. */
  findings: readonly ShownFinding[];
  onRemove(): void;
}

export function LayerFilter({ job, layer, findings, onRemove }: LayerFilterProps) {
  const t = useMessages('findings');
  const step = useStep(job, layer, findings[0]?.packages[0]?.platform ?? null);
  return (
    <div className={classes.layer} ref={show}>
      <Pill
        withRemoveButton
        onRemove={onRemove}
        removeButtonProps={{ 'aria-label': t.allLayers, 'aria-hidden': false, tabIndex: 0 }}
      >
        <span title={layer}>{t.layerOf(layer.slice(0, layer.indexOf(':') + 13))}</span>
      </Pill>
      {step !== null && <code title={step}>{readableStep(step)}</code>}
    </div>
  );
}

/** Known where the image was pushed to the built-in registry. */
function useStep(job: Job, layer: string, platform: string | null): string | null {
  const image = pushedImage(job);
  const { data } = useAnswer(
    'images.getImage',
    {
      params: { registry_id: LOCAL_REGISTRY_ID },
      query: {
        repository: image?.repository ?? '',
        tag: image?.digest ?? '',
        ...(platform !== null && { platform }),
      },
    },
    { enabled: image !== null },
  );
  return data?.layers.find((each) => each.digest === layer)?.created_by ?? null;
}

function show(filter: HTMLElement | null): void {
  filter?.scrollIntoView({ block: 'center' });
}

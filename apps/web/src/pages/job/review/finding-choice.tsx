/** Chooses the findings that a review is asked for. */
import { Button, Checkbox, Group, Input } from '@mantine/core';
import type { VulnerabilityView } from '@portcullis/contract';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { useWords } from '../../../i18n/messages.ts';
import { withChoice } from '../../../kit/form/chosen.ts';
import { useNextRender } from '../../../kit/layout/use-next-render.ts';
import { WaiverNote } from '../findings/waiver-note.tsx';
import classes from './review.module.css';

interface FindingChoiceProps {
  blocking: readonly VulnerabilityView[];
  chosen: ReadonlySet<string>;
  onChange(chosen: ReadonlySet<string>): void;
}

export function FindingChoice({ blocking, chosen, onChange }: FindingChoiceProps) {
  const [t, format] = useWords('review');
  const isAll = chosen.size === blocking.length;
  const hasRows = useNextRender();
  return (
    <fieldset className={classes.choice}>
      <Group justify="space-between" gap="xs">
        <Input.Label component="legend" className={classes.legend ?? ''}>
          {t.findings}
        </Input.Label>
        <Group gap="xs">
          <span className={classes.quiet} aria-live="polite">
            {t.chosen(format.number(chosen.size), format.number(blocking.length))}
          </span>
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => onChange(new Set(isAll ? [] : blocking.map(({ id }) => id)))}
          >
            {isAll ? t.chooseNone : t.chooseAll}
          </Button>
        </Group>
      </Group>
      {hasRows ? (
        <Choices blocking={blocking} chosen={chosen} onChange={onChange} />
      ) : (
        <div className={classes.scroller}>
          <div style={{ height: blocking.length * ROW_HEIGHT }} />
        </div>
      )}
    </fieldset>
  );
}

const ROW_HEIGHT = 51;
const OVERSCAN = 5;

/** Only the visible ones are in the document: a job may have thousands. */
function Choices({ blocking, chosen, onChange }: FindingChoiceProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: blocking.length,
    estimateSize: () => ROW_HEIGHT,
    getScrollElement: () => scroller.current,
    overscan: OVERSCAN,
  });
  return (
    <div ref={scroller} className={classes.scroller}>
      <ul className={classes.list} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const found = blocking[index];
          return (
            found && (
              <li
                key={found.id}
                ref={rows.measureElement}
                data-index={index}
                aria-setsize={blocking.length}
                aria-posinset={index + 1}
                style={{ transform: `translateY(${start}px)` }}
              >
                <Checkbox
                  label={found.id}
                  description={packagesOf(found)}
                  checked={chosen.has(found.id)}
                  onChange={(event) =>
                    onChange(withChoice(chosen, found.id, event.currentTarget.checked))
                  }
                />
                <WaiverNote vulnerability={found.id} />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}

const MOST_NAMED = 3;

function packagesOf({ packages }: VulnerabilityView): string {
  const names = [...new Set(packages.map(({ name, installed_version: at }) => `${name} ${at}`))];
  return names.slice(0, MOST_NAMED).join(', ') + (names.length > MOST_NAMED ? '…' : '');
}

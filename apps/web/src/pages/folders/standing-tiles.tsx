/** The number of images by standing; each filters the list below. */
import type { FolderSummary } from '@portcullis/contract';
import { STANDING_GROUPS, type StandingGroup } from '@portcullis/domain';
import { useWords } from '../../i18n/messages.ts';
import classes from './folders.module.css';
import { STANDING_LOOKS } from './standing-label.tsx';

interface StandingTilesProps {
  folder: Pick<FolderSummary, 'images' | 'in_grace'>;
  chosen: StandingGroup | null;
  onChoose(standing: StandingGroup | null): void;
}

export function StandingTiles({ folder, chosen, onChoose }: StandingTilesProps) {
  const [t, format] = useWords('folder');
  const { images, in_grace: inGrace } = folder;
  const shown = STANDING_GROUPS.filter(
    (group) => group !== 'artifact' || images.artifact > 0 || chosen === 'artifact',
  );
  return (
    <fieldset className={classes.tiles} aria-label={t.filterByStanding}>
      {shown.map((group) => {
        const [tone, Icon] = STANDING_LOOKS[group];
        return (
          <button
            key={group}
            type="button"
            className={classes.tile}
            aria-pressed={chosen === group}
            data-tone={images[group] > 0 ? tone : undefined}
            onClick={() => onChoose(chosen === group ? null : group)}
          >
            <span className={classes.tileName}>
              <Icon size={16} stroke={1.8} aria-hidden="true" />
              {t.groups[group]}
            </span>
            <strong>{format.number(images[group])}</strong>
            {group === 'blocked' && inGrace > 0 && (
              <span className={classes.tileNote}>{t.inGrace(inGrace)}</span>
            )}
          </button>
        );
      })}
    </fieldset>
  );
}

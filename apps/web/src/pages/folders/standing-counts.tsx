/** The images of a folder by standing as one bar, with a full sentence for screen readers. */
import type { FolderSummary } from '@portcullis/contract';
import { STANDING_GROUPS } from '@portcullis/domain';
import { useWords } from '../../i18n/messages.ts';
import { Badge } from '../../kit/verdict/badge.tsx';
import classes from './folders.module.css';
import { STANDING_LOOKS } from './standing-label.tsx';

export function StandingCounts({ images }: Pick<FolderSummary, 'images'>) {
  const [t, format] = useWords('folder');
  const present = STANDING_GROUPS.filter((group) => images[group] > 0);
  return (
    <span className={classes.counts}>
      {present.map((group) => {
        const [tone, icon] = STANDING_LOOKS[group];
        return (
          <Badge key={group} tone={tone} icon={icon}>
            {format.number(images[group])}
            <span className={classes.countName}>{t.groups[group]}</span>
          </Badge>
        );
      })}
    </span>
  );
}

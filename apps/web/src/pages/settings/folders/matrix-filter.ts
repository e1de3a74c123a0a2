/** Which folders and groups the matrix of permissions shows, kept in the URL. */
import { useUrlState } from '../../../kit/use-url-state.ts';

interface MatrixFilter {
  /** A part of the names of folders. */
  folders: string;
  /** A part of the names of groups. */
  groups: string;
  /** The id of the group that a narrow page shows; null: the first one. */
  group: string | null;
}

export const useMatrixFilter = () =>
  useUrlState<MatrixFilter>({
    read: (query) => ({
      folders: query.get('q') ?? '',
      groups: query.get('groups') ?? '',
      group: query.get('group'),
    }),
    write(before, change) {
      const { folders, groups, group } = { ...before, ...change };
      return {
        ...(folders !== '' && { q: folders }),
        ...(groups !== '' && { groups }),
        ...(group !== null && { group }),
      };
    },
  });

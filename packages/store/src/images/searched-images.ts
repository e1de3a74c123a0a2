/** Conditions for what people type or paste to find images of the local registry. */
import { type SearchedImage, searchedImage, searchedWords } from '@portcullis/domain';
import { Prisma } from '../database.ts';
import { beginPattern, likePattern } from '../like.ts';

interface SearchedColumns {
  repository: Prisma.Sql;
  /** The tags of the row, as a condition on `local_tags t`. */
  tags: Prisma.Sql;
  /** Whether one word may be a part of a tag. */
  findsTags: boolean;
}

/** @param text each of its words has to be found */
export function searchedIn(columns: SearchedColumns, text: string | undefined): Prisma.Sql {
  const conditions = searchedWords((text ?? '').toLowerCase()).map((word) =>
    withWord(columns, word),
  );
  return Prisma.join([Prisma.sql`TRUE`, ...conditions], ' AND ');
}

function withWord(columns: SearchedColumns, word: string): Prisma.Sql {
  const { repository, findsTags } = columns;
  const image = searchedImage(word);
  const ways = [
    Prisma.sql`${repository} LIKE ${likePattern(word)}`,
    ...(findsTags ? [tagged(columns, Prisma.sql`lower(t.tag) LIKE ${likePattern(word)}`)] : []),
    ...(image ? [referenced(columns, image)] : []),
  ];
  return Prisma.sql`(${Prisma.join(ways, ' OR ')})`;
}

function referenced(columns: SearchedColumns, { repository, tag, digest }: SearchedImage) {
  const named = Prisma.sql`${columns.repository} LIKE ${likePattern(repository)}`;
  if (tag === undefined && digest === undefined) return named;
  const wanted = Prisma.join(
    [
      ...(tag === undefined ? [] : [Prisma.sql`lower(t.tag) LIKE ${beginPattern(tag)}`]),
      ...(digest === undefined ? [] : [Prisma.sql`t.digest LIKE ${beginPattern(digest)}`]),
    ],
    ' AND ',
  );
  return Prisma.sql`(${named} AND ${tagged(columns, wanted)})`;
}

function tagged({ tags }: SearchedColumns, condition: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT 1 FROM local_tags t WHERE ${tags} AND ${condition})`;
}

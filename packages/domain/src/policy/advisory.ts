/** What the scanner's database says about a vulnerability, whatever image has it. */
export interface Advisory {
  id: string;
  title: string | null;
  /** Plain text; the end of a long one is left out. */
  description: string | null;
  /** NVD's; without one, the highest of the others. */
  cvssScore: number | null;
  cvssVector: string | null;
  cvssSource: string | null;
  publishedAt: Date | null;
  modifiedAt: Date | null;
  /** Of http and https, the most specific first. */
  links: string[];
}

/** How long a new password is. Logging in takes any: there may be older ones. */
export const SHORTEST_PASSWORD = 12;
export const LONGEST_PASSWORD = 128;

/** Files of format 1 in `saved-1`, by the runs that they were saved of. */
export const SAVED = {
  "flat pure": "flat.marginalia",
  "flat by coarser attributes": "coarser.marginalia",
  "adaptive pure": "adaptive.marginalia",
  "groups of two levels": "grouped.marginalia",
  "groups by Algorithm 1": "iterative.marginalia",
};

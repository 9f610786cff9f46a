export const SAVED: string;

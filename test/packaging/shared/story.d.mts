export interface Report {
  capabilities: { runtime: string; threads: number; worker: boolean; reason?: string };
  counts: { small: number[][]; large: number[][] };
  same: boolean;
  sealed: boolean;
  fingerprint: string;
}
export function large(): string;
export function story(marginalia: object): Promise<Report>;

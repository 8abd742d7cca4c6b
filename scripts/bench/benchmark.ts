export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
}

export interface Benchmark {
  readonly name: string;
  readonly description: string;
  run(): Promise<readonly Row[]>;
}

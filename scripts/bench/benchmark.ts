export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
}

export interface Benchmark {
  readonly name: string;
  readonly description: string;
  run(options: BenchmarkOptions): Promise<readonly Row[]>;
}

export interface BenchmarkOptions {
  /** Sizes beyond this are left out: on a slow machine they take hours. */
  readonly largest: number;
}

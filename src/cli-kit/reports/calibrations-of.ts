import { join } from 'node:path';
import { type Calibration, CalibrationSchema } from '../../calibration/calibration.js';
import type { StoreFiles } from '../../node/store-file.js';

/** Returns the calibrations of a store; files that are not one are left out. */
export async function calibrationsOf(files: StoreFiles): Promise<Calibration[]> {
  const names = [...(await files.list('calibration').catch(() => []))];
  const read = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => readCalibration(files, join('calibration', name))),
  );
  return read.filter((calibration) => calibration !== undefined);
}

async function readCalibration(files: StoreFiles, file: string): Promise<Calibration | undefined> {
  try {
    return CalibrationSchema.safeParse(JSON.parse(await files.read(file))).data;
  } catch {
    return undefined;
  }
}

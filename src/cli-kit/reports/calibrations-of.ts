import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Calibration, CalibrationSchema } from '../../calibration/calibration.js';

/** Returns the calibrations of a store; files that are not one are left out. */
export async function calibrationsOf(folder: string): Promise<Calibration[]> {
  const place = join(folder, 'calibration');
  const names = await readdir(place).catch((): string[] => []);
  const read = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .sort()
      .map((name) => readCalibration(join(place, name))),
  );
  return read.filter((calibration) => calibration !== undefined);
}

async function readCalibration(file: string): Promise<Calibration | undefined> {
  try {
    return CalibrationSchema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

import { join } from 'node:path';
import { type Calibration, CalibrationSchema } from '../../calibration/calibration.js';
import { listStoreFolder, readStoreFile } from '../../node/store-file.js';

/** Returns the calibrations of a store; files that are not one are left out. */
export async function calibrationsOf(folder: string): Promise<Calibration[]> {
  const place = join(folder, 'calibration');
  const names = [...(await listStoreFolder(place).catch(() => []))];
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
    return CalibrationSchema.safeParse(JSON.parse(await readStoreFile(file))).data;
  } catch {
    return undefined;
  }
}

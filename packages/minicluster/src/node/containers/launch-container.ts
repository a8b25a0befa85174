import type { Clock } from '@liqo/kube';
import type { ContainerProcess, LaunchSpec } from './container-process.ts';
import type { ImageRegistry } from './image-registry.ts';
import { runCommand } from './run-command.ts';
import { runProgram } from './run-program.ts';
import { simulateContainer } from './simulate-container.ts';
import { readSimulation } from './simulation.ts';

/** Starts what the image is registered for, or a simulation. `run` counts the container's starts from zero. */
export function launchContainer(
  { images, clock }: { readonly images: ImageRegistry; readonly clock: Clock },
  image: string,
  launch: LaunchSpec,
  run: number,
): ContainerProcess {
  const program = images.get(image);
  if (typeof program === 'function') return runProgram({ run: program }, launch);
  if (program && 'run' in program) return runProgram(program, launch);
  if (program) return runCommand(program.command, launch);
  const simulation = readSimulation(launch.pod.metadata.annotations, launch.container);
  return simulateContainer(simulation, launch, clock, run);
}

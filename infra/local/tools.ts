import { run, runs } from './command.ts'
import { lockWhenFree } from './lock.ts'
import type { Cache } from './cache.ts'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

const JAVA_MAJOR_MIN = 17
const APT_MS_MAX = 300_000

/** Makes sure Java 17 or later with its compiler, and Maven, are there; installs them when it may. */
export async function ensureJavaAndMaven(cache: Cache): Promise<void> {
  const missing: string[] = []
  if (!(await hasJava()) || !(await runs('javac', ['-version']))) missing.push('default-jdk-headless')
  if (!(await runs('mvn', ['-version']))) missing.push('maven')
  if (missing.length === 0) return
  const installed = await installWithApt(cache, missing)
  if (installed && (await hasJava()) && (await runs('mvn', ['-version']))) return
  throw new Error(
    `Kafka and the schema registry need Java ${JAVA_MAJOR_MIN} or later (with javac) and Maven: ` +
      'install a JDK and Maven, or name running ones by KAFKA_BROKERS and SCHEMA_REGISTRY_URL.',
  )
}

/** Installs Debian packages when this user may; false when it may not or apt-get refuses. */
export async function installWithApt(cache: Cache, packages: readonly string[]): Promise<boolean> {
  if (process.getuid?.() !== 0 || !(await runs('apt-get', ['--version']))) return false
  mkdirSync(cache.dir, { recursive: true })
  const release = await lockWhenFree(join(cache.dir, 'apt.lock'), cache.waitMsMax)
  try {
    cache.log('info', `installing ${packages.join(' and ')} with apt-get`)
    const options = {
      deadlineMs: APT_MS_MAX,
      env: { DEBIAN_FRONTEND: 'noninteractive' },
    }
    const apt = ['-o', 'DPkg::Lock::Timeout=120', '-qq', '-y']
    await run('apt-get', [...apt, 'update'], options)
    await run('apt-get', [...apt, 'install', '--no-install-recommends', ...packages], options)
    return true
  } catch (error) {
    cache.log('warning', (error as Error).message)
    return false
  } finally {
    release()
  }
}

/** Runs Maven quietly in a directory. */
export async function maven(cwd: string, args: readonly string[]): Promise<void> {
  await run('mvn', ['-B', '-q', ...args], { cwd, deadlineMs: 600_000 })
}

/** The version line of java, such as `17.0.15`: part of the name of what depends on it. */
export async function javaVersion(): Promise<string> {
  const text = await run('java', ['-version'], { deadlineMs: 20_000 })
  return /version "([^"]+)"/.exec(text)?.[1] ?? 'unknown'
}

async function hasJava(): Promise<boolean> {
  const version = await javaVersion().catch(() => '0')
  return Number.parseInt(version, 10) >= JAVA_MAJOR_MIN
}

/** Of each container in a template of `kubectl get pods -o jsonpath`: its name and its image. */
export const containersWithImages = "{range .spec.containers[*]} {.name}={.image}{end}";

/** Where a shell starts that uses `oncePerImage`. */
export const noImageWithout = 'without=" "';

/** A pattern of `case` for the words of a container that lacks the program: its image, `$i`, is not tried again. */
export const lacksProgram = `*"file not found"*|*"no such file"*) without="$without$i " ;;`;

/**
 * A loop of a shell over containers as `containersWithImages` prints them: `tries` runs with `$c`, the container, and `$i`, its
 * image, but for images that are known to lack the program.
 */
export const oncePerImage = (containers: string, tries: string): string =>
  `for t in ${containers}; do c=\${t%%=*}; i=\${t#*=}; case "$without" in *" $i "*) ;; *) ${tries} ;; esac; done`;

# Executes a program that finds packets in open files: open-tunnels.pl <interface> ... -- <program> <argument> ...
# Makes each interface, in the network it runs in, opens it, and appends the numbers of the files to the arguments. Reading
# such a file gives a packet that was sent to the interface, writing to it is receiving one. In Perl, which every Debian
# has, because this takes an ioctl, which Node.js does not offer.
use strict;
use warnings;

my $TUNSETIFF = 0x400454ca;
my $PLAIN_PACKETS = 0x0001 | 0x1000;

# Files up to this number stay open in the program.
$^F = 255;
my @tunnels;
while (defined(my $name = shift @ARGV)) {
  last if $name eq '--';
  open(my $tunnel, '+<', '/dev/net/tun') or die "Cannot open /dev/net/tun: $!\n";
  ioctl($tunnel, $TUNSETIFF, pack('a16 s x22', $name, $PLAIN_PACKETS)) or die "Cannot make interface $name: $!\n";
  push @tunnels, $tunnel;
}
my $program = $ARGV[0];
exec { $program } @ARGV, map { fileno($_) } @tunnels or die "Cannot execute $program: $!\n";
